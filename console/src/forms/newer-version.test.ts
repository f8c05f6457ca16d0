import { expect, test } from 'vitest'
import { type FormState, takeNewer } from './newer-version.ts'

type Values = { title: string; text: string; tags: string[] }
const loaded: Values = { title: 'Pay', text: '', tags: ['a'] }

function typed(part: Partial<Values>, more: Partial<FormState<Values>> = {}): FormState<Values> {
  return { values: { ...loaded, ...part }, base: loaded, version: '1', seen: '1', isSaving: false, ...more }
}

test('a newer version changes only the fields that the user has not changed', () => {
  const form = takeNewer(typed({ text: 'typed' }), { title: 'Payments', text: '', tags: ['a', 'b'] }, '2')
  expect(form.values).toEqual({ title: 'Payments', text: 'typed', tags: ['a', 'b'] })
  expect(form).toMatchObject({ version: '2', seen: '2' })
})

test('if both changed a field, the text of the user stays and the save is compared with the older version', () => {
  const form = takeNewer(typed({ text: 'mine' }), { ...loaded, text: 'theirs' }, '2')
  expect(form.values.text).toBe('mine')
  expect(form).toMatchObject({ version: '1', seen: '2' })
  const again = takeNewer(form, { ...loaded, text: 'theirs', title: 'Payments' }, '3')
  expect(again.values).toEqual({ title: 'Payments', text: 'mine', tags: ['a'] })
  expect(again.version).toBe('1')
})

test('if both typed the same, there is no conflict', () => {
  expect(takeNewer(typed({ text: 'same' }), { ...loaded, text: 'same' }, '2').version).toBe('2')
})

test('what is typed during a save stays, and what was saved shows what the service made of it', () => {
  const sent = { ...loaded, title: ' Payments ' }
  const form = typed({ title: ' Payments ', text: 'typed later' }, { base: sent, isSaving: true })
  const next = takeNewer(form, { ...loaded, title: 'Payments' }, '2')
  expect(next.values).toEqual({ title: 'Payments', text: 'typed later', tags: ['a'] })
  expect(next.version).toBe('2')
})
