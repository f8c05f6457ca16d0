import type { Transporter } from 'nodemailer'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  headers: Record<string, string>
  inReplyTo?: string
}
export type Mailer = {
  /** The host that message ids are made of. */
  host: string
  send(mail: Mail): Promise<void>
  close(): void
}

const timeoutMs = 20_000

/** E-mail over the operator's SMTP server. The library is loaded with the first message. */
export function makeMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  let opened: Promise<Transporter> | undefined
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
    return createTransport({ url: smtpUrl, pool: true, maxConnections: 4, ...timeouts })
  }
  return {
    host: from.match(/@([^\s>]+)/)?.[1] ?? 'localhost',
    async send(mail) {
      opened ??= open()
      await (await opened).sendMail({ from, ...mail, disableFileAccess: true, disableUrlAccess: true })
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}
