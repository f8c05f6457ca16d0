import type { List } from '../../data/lists.ts'
import { ErrorNotice } from '../error-notice.tsx'

/** Shows that a list could not be read. Rows of an earlier answer stay below it. */
export function ListError({ list }: { list: Pick<List<unknown>, 'items' | 'error' | 'reload'> }) {
  const title = list.items.length > 0 ? { title: 'The list could not be updated' } : {}
  return <ErrorNotice error={list.error} retry={list.reload} {...title} />
}
