import { start } from "@swap-broker/core/app"
import { flat } from "./provider.ts"

start([flat])
