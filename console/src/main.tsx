import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./ui/base.css";
import "./ui/theme";
import { Console } from "./shell/Console";
import { start } from "./gateway/session";

void start();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
