import { expect, test } from 'vitest'
import { addBinding, putBinding, removeBinding } from './source-bindings.ts'

const spec = { type: 'evm_log', dataSource: 'common.ethereum', contract: '0xaa' }

test('the source of the spec becomes the first binding, and ids are made from the sources', () => {
  const added = addBinding({ triggerSpec: spec, sourceBindings: undefined })
  expect(added.sourceBindings).toEqual([
    { id: 'ethereum', dataSource: 'common.ethereum' },
    { id: 'source', dataSource: '' },
  ])
  const named = putBinding(added, 1, { dataSource: 'common.base' })
  expect(named.sourceBindings?.[1]).toEqual({ id: 'base', dataSource: 'common.base' })
  const own = putBinding(putBinding(named, 1, { id: 'l2' }), 1, { dataSource: 'common.optimism', contract: '0xbb' })
  expect(own.sourceBindings?.[1]).toEqual({ id: 'l2', dataSource: 'common.optimism', contract: '0xbb' })
  expect(
    addBinding({ triggerSpec: { dataSource: '' }, sourceBindings: [{ id: 'source' }] }).sourceBindings?.[1]?.id,
  ).toBe('source-2')
})

test('the source of the spec stays one of the bindings when they change', () => {
  const two = putBinding(addBinding({ triggerSpec: spec, sourceBindings: undefined }), 1, { dataSource: 'common.base' })
  expect(putBinding(two, 0, { dataSource: 'acme.fork' }).triggerSpec).toEqual({ ...spec, dataSource: 'acme.fork' })
  expect(putBinding(two, 1, { dataSource: 'acme.fork' }).triggerSpec).toEqual(spec)
  const one = removeBinding(two, 0)
  expect(one).toEqual({
    triggerSpec: { ...spec, dataSource: 'common.base' },
    sourceBindings: [{ id: 'base', dataSource: 'common.base' }],
  })
  expect(removeBinding(one, 0).sourceBindings).toBeUndefined()
})

test('a field that is cleared is left out, and fields that no form shows stay', () => {
  const bound = { triggerSpec: spec, sourceBindings: [{ id: 'a', dataSource: 'x.y', contract: '0xaa', later: 1 }] }
  expect(putBinding(bound, 0, { contract: undefined }).sourceBindings).toEqual([
    { id: 'a', dataSource: 'x.y', later: 1 },
  ])
})
