/** For tests of components: what they wait for may take as long as a busy machine needs. */
import { configure } from "@testing-library/react";

/** So long `findBy…` and `waitFor` wait, milliseconds; a test has 30 s in all. */
const PATIENCE_MS = 15_000;

configure({ asyncUtilTimeout: PATIENCE_MS });
