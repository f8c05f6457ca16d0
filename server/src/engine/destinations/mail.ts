import type { Transporter } from 'nodemailer'
import { within } from '../base/deadline.ts'

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
  /** The host part of message ids. */
  host: string
  send(mail: Mail): Promise<void>
  close(): void
}

const timeoutMs = 20_000
/** The library's timeouts measure silence, so a server that sends one byte per second would never time out. */
const sendDefaultMs = 60_000
type MailOptions = { smtpUrl: string; from: string; sendMs?: number }

/** E-mail over the operator's SMTP server. The library is loaded with the first message. */
export function makeMailer({ smtpUrl, from, sendMs = sendDefaultMs }: MailOptions): Mailer {
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
      const used = opened
      const transport = await used
      const sent = transport.sendMail({ from, ...mail, disableFileAccess: true, disableUrlAccess: true })
      await within(sent, sendMs, () => {
        // The connection is closed during the send. It is unknown if the mail arrived.
        if (opened === used) opened = undefined
        transport.close()
        return new Error(`The SMTP server took longer than ${sendMs / 1000} s.`)
      })
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}
