import { cli } from "@swap-broker/core/app"
import { harbour } from "./provider.ts"

cli([harbour])
