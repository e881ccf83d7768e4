// The script of the pages that analyze serve sends.

import { startSite } from "./site";
import "./style.css";
import "./levels.css";
import "./timeline.css";

startSite();
