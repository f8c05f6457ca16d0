import { expect, test, vi } from 'vitest'
import { changedFields, dropValues, isLike, keepValues, readValues } from './kept-values.ts'

test('a browser without a storage keeps nothing, and forms work', () => {
  const off = () => {
    throw new Error('The storage is off')
  }
  vi.stubGlobal('sessionStorage', { getItem: off, setItem: off, removeItem: off })
  keepValues('form', { title: 'a' })
  dropValues('form')
  expect(readValues('form', { title: '' })).toBeUndefined()
  vi.unstubAllGlobals()
})

test('only fields that the user changed are kept, so that what somebody else saved meanwhile is not overwritten', () => {
  const kept = changedFields({ title: 'mine', tags: ['a'], url: 'secret' }, { title: '', tags: ['a'], url: '' }, [
    'url',
  ])
  vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(kept) })
  expect(readValues('form', { title: '', tags: ['b'], url: '' })).toEqual({ title: 'mine', tags: ['b'], url: '' })
  vi.unstubAllGlobals()
})

test('a kept value is used only if it has the shape of the first value', () => {
  expect(isLike('a', '')).toBe(true)
  expect(isLike(1, '')).toBe(false)
  expect(isLike(['a'], [])).toBe(true)
  expect(isLike(['a', 1], [''])).toBe(false)
  expect(isLike({ title: 'a', more: 1 }, { title: '' })).toBe(true)
  expect(isLike({ title: 1 }, { title: '' })).toBe(false)
  expect(isLike('anything', undefined)).toBe(true)
  expect(isLike([], {})).toBe(false)
})
