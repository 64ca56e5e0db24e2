// Broken calls of an apply on a REST catalog leave a table that is whole, and that the next apply finishes.
import { callFaults } from "./call-faults.ts";
import { restWorld } from "./call-worlds.ts";

callFaults("a REST catalog", restWorld);
