/** Where the page begins: the language first, so that nothing is drawn twice, then the shell. */
import { mount } from "svelte";

import App from "./App.svelte";
import { SITE } from "./engine/engine.svelte";
import { loadLanguage } from "./i18n";
import { connection } from "./net";
import { registerWorker } from "./worker";
import "./styles/tokens.css";
import "./styles/base.css";

if (!SITE) connection.start();
void loadLanguage().then(() => {
  mount(App, { target: document.getElementById("app")! });
  registerWorker();
});
