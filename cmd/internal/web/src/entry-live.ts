// The script of the pages that show systems in time.

import { startLive } from "./live";
import "./style.css";
import "./live.css";

startLive();
