import { expect, test } from 'vitest'
import { whyWeak } from './passwords.ts'

const own = ['ann.known@example.org', 'Ann Known']

test.each([
  'password',
  'password1',
  'Password123',
  'p@ssw0rd',
  'P4$$w0rd!',
  '12345678',
  '987654321',
  '11111111',
  'abababab',
  'abcd1234',
  'abc12345',
  'qwertyuiop',
  'qwerty123',
  'Qwerty12345',
  '1qaz2wsx',
  '1q2w3e4r',
  '123qweasd',
  'iloveyou',
  'iloveyou2',
  'sunshine',
  'princess1',
  'football!',
  'letmein2026',
  'welcome1',
  'admin123',
  'testtest',
  'trustno1',
  'changeme',
  'starwars77',
  'zaq12wsx',
])('%s is refused as a common password', (password) => expect(whyWeak(password, own)).toMatch(/common/))

test.each(['ann.known', 'ANN.KNOWN@example.org', 'ann known'])('%s is part of the account’s own data', (password) =>
  expect(whyWeak(password, own)).toMatch(/your name or e-mail address/),
)

test.each([
  'correct horse battery',
  'a long enough one',
  'Tr0ub4dor&3',
  'password of my cat',
  '7 signs and one',
  'qwpo1029xm',
  'ann.known rides a bike',
])('%s is accepted', (password) => expect(whyWeak(password, own)).toBeUndefined())
