/** One server-sent event, its data parsed. */
export type ServerEvent = { event: string; data: unknown }

/**
 * Yields server-sent events as they arrive. Leaving the loop closes the connection. Comments, which only keep it open,
 * are skipped.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = readBlock(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function readBlock(block: string): ServerEvent | undefined {
  const lines = block.split('\n')
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2))
  const data = valuesOf('data')
  return data.length === 0
    ? undefined
    : { event: valuesOf('event').at(-1) ?? 'message', data: JSON.parse(data.join('\n')) }
}
