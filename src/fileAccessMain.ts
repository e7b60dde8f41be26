import { fileAccess, fileSettings } from "./app/fileAccess.ts"

/*
 * Prints which files the program of a task needs; the arguments are the program and read or write. A task asks this
 * before it starts the program, because permissions are fixed by then, and DATA_DIR can be anywhere.
 */
const [program, way] = Deno.args
if ((program !== "service" && program !== "sandbox") || (way !== "read" && way !== "write")) {
  console.error("Usage: fileAccessMain.ts service|sandbox read|write")
  Deno.exit(2)
}
const settings = Object.fromEntries(fileSettings.map((name) => [name, Deno.env.get(name)]))
console.log(fileAccess(program, settings)[way])
