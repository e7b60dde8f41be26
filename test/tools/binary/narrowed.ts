import { dropPermissions } from "#tools/binary/dropPermissions.ts"

/* Prints what is left of the permissions of the binary, once a program has given back what it does not need. */

const [program] = Deno.args
dropPermissions(program === "sandbox" ? "sandbox" : "service")
const names = ["net", "env", "read", "write", "sys", "run", "ffi"] as const
const granted = names.filter((name) => Deno.permissions.querySync({ name }).state === "granted")
console.log(granted.join(" "))
