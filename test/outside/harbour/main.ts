import { start } from "@swap-broker/core/app"
import { harbour } from "./provider.ts"

start([harbour])
