import { start } from "#exports/app.ts"

start()
