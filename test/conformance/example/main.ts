import { start } from "@swap-broker/core/app"
import { provider } from "./provider.ts"

start([provider])
