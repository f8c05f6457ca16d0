import { hash, verify } from '@node-rs/argon2'
import type { PasswordCost } from '../settings.ts'

/** The minimum for argon2id that OWASP names. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** An argon2id hash. */
export function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  return hash(password, cost)
}

/** Takes the same time without an account or a password, so that the time does not show which accounts exist. */
export async function isPassword(
  password: string,
  passwordHash: string | null | undefined,
  cost: PasswordCost,
): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await unusableHash(cost)), password)
  return matches && passwordHash !== null && passwordHash !== undefined
}

const unusable = new WeakMap<PasswordCost, Promise<string>>()
function unusableHash(cost: PasswordCost): Promise<string> {
  const made = unusable.get(cost) ?? hash(crypto.randomUUID(), cost)
  unusable.set(cost, made)
  return made
}
