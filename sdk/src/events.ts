/** One server-sent event, its data parsed. `id` is the position to resume after. */
export type ServerEvent = { event: string; data: unknown; id?: string }

/** `onId` gets every id, and `onBytes` is called whenever something arrives. */
export type EventListeners = { onId?: (id: string) => void; onBytes?: () => void }

/**
 * Yields server-sent events as they arrive. Leaving the loop closes the connection. Comments, which only keep it open,
 * are skipped. A block that has an id and no data only moves the position. The generator takes the whole response, because
 * Node closes the connection of a response that is garbage collected before its body is read.
 */
export async function* readEvents(
  response: Response,
  { onId, onBytes }: EventListeners = {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes?.()
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const { id, event } = readBlock(block)
        if (event) yield event
        // After the event: a reader that fails while it handles an event gets the event again.
        if (id !== undefined) onId?.(id)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function readBlock(block: string): { id: string | undefined; event: ServerEvent | undefined } {
  const lines = block.split('\n')
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2))
  const data = valuesOf('data')
  const id = valuesOf('id').at(-1)
  if (data.length === 0) return { id, event: undefined }
  const event = valuesOf('event').at(-1) ?? 'message'
  return { id, event: { event, data: JSON.parse(data.join('\n')), ...(id !== undefined && { id }) } }
}
