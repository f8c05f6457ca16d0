import type { CallAnswer, CallArgs } from './request.ts'

/** Yields every item of a list, page by page. `limit` in the query is the size of a page. */
export async function* eachItem(
  readPage: (args: CallArgs) => Promise<CallAnswer>,
  args: CallArgs,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | undefined
  do {
    const { body, headers } = await readPage({ ...args, query: { ...args.query, ...(cursor && { cursor }) } })
    yield* body as unknown[]
    cursor = nextCursor(headers.get('link') ?? '')
  } while (cursor !== undefined)
}

/** The cursor in `Link: </api/…?cursor=…>; rel="next"`. */
function nextCursor(link: string): string | undefined {
  const [, url] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link) ?? []
  return url === undefined ? undefined : (new URL(url, 'http://localhost').searchParams.get('cursor') ?? undefined)
}
