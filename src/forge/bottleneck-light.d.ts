// The build of bottleneck that the throttling plugin uses; it comes without types of its own.
declare module "bottleneck/light.js" {
  export { default } from "bottleneck";
}
