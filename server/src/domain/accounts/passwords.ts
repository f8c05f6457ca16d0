import { hash, verify } from '@node-rs/argon2'

/** argon2id with the library's defaults (19 MiB, 2 passes), the minimum that OWASP names. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

/** Takes the same time without an account or a password, so that the time does not show which accounts exist. */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await unusableHash()), password)
  return matches && passwordHash !== null && passwordHash !== undefined
}

let unusable: Promise<string> | undefined
function unusableHash(): Promise<string> {
  unusable ??= hash(crypto.randomUUID())
  return unusable
}
