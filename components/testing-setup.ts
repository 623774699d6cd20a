/** For tests of components: what they wait for may take as long as a busy machine needs, and what one says no other hears. */
import { configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { drawToasts } from "./ui/toast";

/** So long `findBy…` and `waitFor` wait, milliseconds; a test has 30 s in all. */
const PATIENCE_MS = 15_000;

configure({ asyncUtilTimeout: PATIENCE_MS });
// News waits until it is drawn, also for the test after this one.
afterEach(() => drawToasts(() => {})());
