import { expect, test } from 'vitest'
import { hashPassword, isPassword, passwordCost } from './passwords.ts'

test('the service hashes passwords with argon2id at the minimum cost that OWASP names', async () => {
  const hashed = await hashPassword('correct horse battery', passwordCost)
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await isPassword('correct horse battery', hashed, passwordCost)).toBe(true)
  expect(await isPassword('wrong horse battery', hashed, passwordCost)).toBe(false)
})

test.each([null, undefined])('without a stored hash (%s) no password is right', async (stored) => {
  expect(await isPassword('', stored, passwordCost)).toBe(false)
})
