// The script of a report in one file.

import { start } from "./app";
import { Embedded } from "./data";
import { pages } from "./pages";
import "./style.css";

start(new Embedded(), pages);
