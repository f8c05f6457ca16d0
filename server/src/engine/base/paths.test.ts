import { expect, test } from 'vitest'
import { parsePath, readPath } from './paths.ts'

const item = { params: { to: '0x1', list: [{ a: 1 }, 2] }, name: 'text', nothing: null, zero: 0 }
const at = (path: string) => readPath(item, parsePath(path))

test.each([
  ['params.to', '0x1'],
  ['params.list[0].a', 1],
  ['params.list.1', 2],
  ['nothing', null],
  ['zero', 0],
])('%s is resolved', (path, value) => expect(at(path)).toBe(value))

test.each([
  'missing',
  'missing.deeper',
  'nothing.deeper',
  'name.length',
  'params.list.length',
  'params.list.-1',
  'constructor',
  '__proto__',
  'params.__proto__.toString',
  'toString.call',
  '',
  'params.',
  'params.list[5]',
])('%j resolves to undefined', (path) => expect(at(path)).toBeUndefined())
