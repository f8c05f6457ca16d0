import { expect, test } from 'vitest'
import type { Alert } from '../../layouts/alert/alert-status.ts'
import { type FeedPages, mergeFirstPage } from './feed-pages.ts'

const alert = (id: string, updatedAt = '1'): Alert => ({ id, updatedAt }) as Alert
const pagesOf = (...pages: string[][]): FeedPages => ({
  pages: pages.map((ids, at) => ({ items: ids.map((id) => alert(id)), next: String(at + 1) })),
  pageParams: [],
})
const idsOf = (pages: FeedPages | undefined) => pages?.pages.map(({ items }) => items.map(({ id }) => id))
const loaded = pagesOf(['f', 'e', 'd'], ['c', 'b'], ['a'])
const known = new Set(['f', 'e', 'd', 'c', 'b', 'a'])
const first = (...ids: string[]) => ({ items: ids.map((id) => alert(id, '2')), next: '9' })

test('a first page that is read again adds new alerts, drops those that are gone, and keeps the older pages', () => {
  const merged = mergeFirstPage(loaded, first('h', 'g', 'f', 'd'), known)
  expect(idsOf(merged)).toEqual([['h', 'g', 'f', 'd'], ['c', 'b'], ['a']])
  expect(merged?.pages[0]?.items.at(-1)?.updatedAt).toBe('2')
  expect(merged?.pages.map(({ next }) => next)).toEqual(['1', '2', '3'])
})

test('alerts and changes that arrived while the page was read are kept', () => {
  const live = pagesOf(['g', 'f', 'e', 'd'], ['c'])
  live.pages[0]?.items.splice(1, 1, alert('f', '3'))
  const merged = mergeFirstPage(live, first('f', 'e', 'd'), known)
  expect(idsOf(merged)).toEqual([['g', 'f', 'e', 'd'], ['c']])
  expect(merged?.pages[0]?.items[1]?.updatedAt).toBe('3')
})

test('a first page of new alerts alone does not reach the list', () => {
  expect(mergeFirstPage(loaded, first('j', 'i', 'h'), known)).toBeUndefined()
  expect(mergeFirstPage(loaded, first(), known)).toBeUndefined()
})

test('a first page without a next one is the whole list', () => {
  expect(idsOf(mergeFirstPage(loaded, { ...first('f', 'e'), next: undefined }, known))).toEqual([['f', 'e']])
  expect(idsOf(mergeFirstPage(loaded, { items: [], next: undefined }, known))).toEqual([[]])
})
