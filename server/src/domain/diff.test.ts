import { expect, test } from 'vitest'
import { diffOf } from './diff.ts'

const plain = () => undefined

test('objects and lists of objects are compared field by field, other lists as a whole', () => {
  const before = { a: 1, tags: ['x'], rules: [{ id: 'r', on: true }], same: { b: [1] } }
  const after = { a: 2, tags: ['x', 'y'], rules: [{ id: 'r', on: false }, { id: 's' }], same: { b: [1] } }
  expect(diffOf(before, after, plain)).toEqual([
    { path: 'a', from: 1, to: 2 },
    { path: 'tags', from: ['x'], to: ['x', 'y'] },
    { path: 'rules.0.on', from: true, to: false },
    { path: 'rules.1.id', from: null, to: 's' },
  ])
})

test('a value that is added or removed has no other side, and a dot in a name is escaped', () => {
  expect(diffOf(undefined, { meta: { title: 'A' }, empty: {} }, plain)).toEqual([
    { path: 'meta.title', from: null, to: 'A' },
    { path: 'empty', from: null, to: {} },
  ])
  expect(diffOf({ labels: { 'a.b': 'x' } }, {}, plain)).toEqual([{ path: 'labels.a\\.b', from: 'x', to: null }])
  expect(diffOf({ data: { a: 1 } }, { data: {} }, plain)).toEqual([{ path: 'data.a', from: 1, to: null }])
})

test('the order of fields is no difference, and null is not the same as nothing', () => {
  expect(diffOf({ a: 1, b: 2 }, { b: 2, a: 1 }, plain)).toEqual([])
  expect(diffOf({}, { a: null }, plain)).toEqual([{ path: 'a', from: null, to: null }])
})

test('a secret shows only that it changed, also inside a value that is shown as a whole', () => {
  const mask = (path: readonly string[]) => (path.at(-1) === 'secret' ? () => '***' : undefined)
  expect(diffOf({ secret: { key: 'old' } }, { secret: { key: 'new' } }, mask)).toEqual([
    { path: 'secret', from: '***', to: '***' },
  ])
  expect(diffOf({}, { secret: 'new' }, mask)).toEqual([{ path: 'secret', from: null, to: '***' }])
  const whole = diffOf({ list: [{ secret: 'old' }] }, { list: 'gone' }, mask)
  expect(whole).toEqual([{ path: 'list', from: [{ secret: '***' }], to: 'gone' }])
})

test('deep values are compared a few times, not at each level', () => {
  let reads = 0
  const countReads = { enumerable: true, get: () => ++reads && 1 }
  const counted = (changed: number) => Object.assign(Object.defineProperty({}, 'first', countReads), { changed })
  const nested = (changed: number) =>
    Array.from({ length: 60 }).reduce<Record<string, unknown>>((inner) => ({ a: inner }), counted(changed))
  expect(diffOf(nested(1), nested(2), plain)).toEqual([{ path: `${'a.'.repeat(60)}changed`, from: 1, to: 2 }])
  expect(reads).toBeLessThan(40)
})
