import { fileAccess, noFiles, type Program } from "#infrastructure/config/fileAccess.ts"

/**
 * Gives back what a program does not need of the permissions that the binary has for all of them. Deno takes a kind of
 * permission back as a whole only, so a process that keeps something may write more than `DATA_DIR`; one that keeps
 * nothing may write nothing. Reading stays, because the binary reads its own modules with it.
 */
export const dropPermissions = (program: Program): void => {
  Deno.permissions.revokeSync({ name: "sys" })
  if (fileAccess(program, Deno.env.toObject()).write === noFiles) {
    Deno.permissions.revokeSync({ name: "write" })
  }
}
