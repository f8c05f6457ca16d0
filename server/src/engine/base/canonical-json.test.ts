import { expect, test } from 'vitest'
import { canonicalJson } from './json.ts'

test('the order of fields does not change the result', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
  expect(canonicalJson({ a: 'x', b: [{ c: null, d: 1 }] })).toBe('{"a":"x","b":[{"c":null,"d":1}]}')
})

test('keys are sorted by code units, independent of the locale', () => {
  expect(canonicalJson({ ä: 1, z: 2, Z: 3, a: 4, 10: 5, 9: 6 })).toBe('{"10":5,"9":6,"Z":3,"a":4,"z":2,"ä":1}')
})

test('an undefined field is omitted', () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}')
})

test('the result parses to an equal value', () => {
  const value = { text: 'quote " slash \\ line \n', list: [1, -0.5, true, [], {}], none: null }
  expect(JSON.parse(canonicalJson(value))).toEqual(value)
})
