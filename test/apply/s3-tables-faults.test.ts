// Broken calls of an apply on S3 Tables leave a table that is whole, and that the next apply finishes.
import { callFaults } from "./call-faults.ts";
import { s3TablesWorld } from "./call-worlds.ts";

callFaults("S3 Tables", s3TablesWorld);
