import { weighs } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { makeShownDiff } from './evaluate.ts'

test('values that people read are shown as they are', () => {
  const diff = [{ path: 'transform.source', from: 'x'.repeat(60_000), to: null }]
  expect(makeShownDiff()(diff)).toEqual(diff)
})

test('a value that is too long is named only', () => {
  const [entry] = makeShownDiff()([{ path: 'a', from: null, to: Array(100_000).fill(1) }])
  expect(entry).toEqual({ path: 'a', from: null, to: '(too long to be shown)' })
})

test('all changes of a plan together have a limit, and the rest is counted', () => {
  const show = makeShownDiff()
  const entities = Array.from({ length: 200 }, () => {
    return show(Array.from({ length: 1_000 }, (_, at) => ({ path: `field-${at}`, from: 'x'.repeat(100), to: 1 })))
  })
  expect(entities[0]).toHaveLength(1_000)
  expect(entities[199]).toEqual([{ path: '', from: null, to: '1000 more fields are not shown' }])
  expect(weighs(entities, 8 * 1024 * 1024)).toBeLessThan(6 * 1024 * 1024)
})
