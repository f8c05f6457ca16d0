import { SMTPServer } from 'smtp-server'

export type Letter = { from: string; to: string[]; headers: Record<string, string>; text: string; html: string }
export type Mailbox = { url: string; received: Letter[]; refuse: () => Error | undefined; close(): Promise<void> }

/** A real SMTP server that stores the mails it receives. */
export async function startMailbox(): Promise<Mailbox> {
  const box: Mailbox = { url: '', received: [], refuse: () => undefined, close: async () => undefined }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(box.refuse()),
    onData(stream, session, done) {
      stream.toArray().then((chunks) => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        box.received.push({ from, to: rcptTo.map(({ address }) => address), ...readLetter(Buffer.concat(chunks)) })
        done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.server.address()
  box.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  box.close = () => new Promise((resolve) => server.close(() => resolve()))
  return box
}

/** The part of MIME that our mails use: two parts, quoted-printable or base64, encoded words in headers. */
function readLetter(bytes: Buffer): Pick<Letter, 'headers' | 'text' | 'html'> {
  const { headers, body } = splitPart(bytes.toString('utf8'))
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.replace(/^\r\n/, '')))
  const contentOf = (type: string) => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type))
    return part ? decodePart(part).replaceAll('\r\n', '\n') : ''
  }
  return { headers, text: contentOf('text/plain'), html: contentOf('text/html') }
}

function splitPart(text: string): { headers: Record<string, string>; body: string } {
  const at = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: Object.fromEntries(pairs), body: text.slice(at + 4) }
}

function decodePart({ headers, body }: { headers: Record<string, string>; body: string }): string {
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? quoted(body.replace(/=\r\n/g, '')) : body
}

function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_whole, kind: string, data: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(data, 'base64').toString('utf8') : quoted(data.replaceAll('_', ' ')),
    )
}

function quoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return /=[0-9A-F]{2}/i.test(text) ? Buffer.from(bytes, 'latin1').toString('utf8') : text
}
