import { expect, test } from 'vitest'
import { startFrom } from '../../model/definition.ts'
import { type BuilderState, initialState, reduce } from './builder-state.ts'

const naming = { name: 't', project: 'acme.p', workspace: 'acme', title: 'T', description: '' }
const started = (): BuilderState => initialState(startFrom(undefined, naming))

test('providers keep their order when one is moved or removed', () => {
  let state = started()
  for (const id of ['a', 'b', 'c'])
    state = reduce(state, { type: 'putProvider', at: state.definition.providers.length, provider: { id } })
  state = reduce(state, { type: 'moveProvider', at: 2, to: 0 })
  expect(state.definition.providers.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
  state = reduce(state, { type: 'moveProvider', at: 0, to: -1 })
  state = reduce(state, { type: 'removeProvider', at: 1 })
  expect(state.definition.providers.map(({ id }) => id)).toEqual(['c', 'b'])
})

test('a change of the source drops the sample, unless the trigger stores it', () => {
  const sampled = reduce(started(), { type: 'sample', sample: { a: 1 } })
  expect(reduce(sampled, { type: 'changeSpec', part: { event: 'Paid' } }).sample).toBeUndefined()
  expect(reduce(sampled, { type: 'changeSpec', part: { testInput: { a: 1 } } }).sample).toEqual({ a: 1 })
  expect(reduce(sampled, { type: 'change', part: { activation: null } }).sample).toEqual({ a: 1 })
})

test('a sample that arrives after the source has changed is left out', () => {
  const state = started()
  const { triggerSpec } = state.definition
  const changed = reduce(state, { type: 'changeSpec', part: { event: 'Paid' } })
  expect(reduce(state, { type: 'sample', sample: { a: 1 }, spec: triggerSpec }).sample).toEqual({ a: 1 })
  expect(reduce(changed, { type: 'sample', sample: { a: 1 }, spec: triggerSpec }).sample).toBeUndefined()
})

test('invalid text moves with its provider and is dropped with its field', () => {
  let state = started()
  for (const id of ['a', 'b', 'c'])
    state = reduce(state, { type: 'putProvider', at: state.definition.providers.length, provider: { id } })
  const text = { label: 'Body', text: '{', problem: 'Invalid JSON' }
  for (const path of ['providers.2.body', 'providers.1.body', 'triggerSpec.abiFragment', 'inputs', 'definition'])
    state = reduce(state, { type: 'invalidText', path, text })
  state = reduce(state, { type: 'moveProvider', at: 2, to: 0 })
  expect(Object.keys(state.invalidTexts)).toContain('providers.0.body')
  expect(Object.keys(state.invalidTexts)).toContain('providers.2.body')
  state = reduce(state, { type: 'removeProvider', at: 2 })
  state = reduce(state, { type: 'change', part: { triggerSpec: { type: 'timer' } } })
  expect(Object.keys(state.invalidTexts).sort()).toEqual(['definition', 'inputs', 'providers.0.body'])
  state = reduce(state, { type: 'replace', definition: { ...state.definition, inputs: { limit: 'number' } } })
  state = reduce(state, { type: 'invalidText', path: 'definition', text: undefined })
  expect(Object.keys(state.invalidTexts)).toEqual(['providers.0.body'])
})
