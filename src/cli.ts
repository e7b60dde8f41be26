import { cli } from "#exports/app.ts"

cli()
