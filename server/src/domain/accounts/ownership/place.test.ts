import { expect, test } from 'vitest'
import { clientKind, placeText } from './place.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

test.each([
  [firefox, 'Firefox on Linux'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['curl/8.5.0', 'curl'],
  ['node', 'node'],
  ['<b>Click http://evil.example.org', 'another program'],
  ['', 'another program'],
])('%s is %s', (userAgent, kind) => {
  expect(clientKind(userAgent)).toBe(kind)
})

test.each([
  ['192.0.2.7', '192.0.2.200', true],
  ['192.0.2.7', '::ffff:192.0.2.9', true],
  ['192.0.2.7', '192.0.3.7', false],
  ['2001:db8:1:2::5', '2001:db8:1:9::1', true],
  ['2001:db8:1::5', '2001:db8:2::5', false],
  ['::1', '::1', true],
])('%s and %s are one place: %s', (one, other, isSame) => {
  const at = (ip: string) => placeText({ ip, userAgent: firefox })
  expect(at(one) === at(other)).toBe(isSame)
})

test('a newer version of a browser is the same place, another browser is not', () => {
  const at = (userAgent: string) => placeText({ ip: '192.0.2.7', userAgent })
  expect(at(firefox.replaceAll('143', '144'))).toBe(at(firefox))
  expect(at('curl/8.5.0')).not.toBe(at(firefox))
})
