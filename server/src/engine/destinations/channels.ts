import type { PostDoor } from '../outbound/door.ts'
import type { DestinationDeps } from './destination.ts'
import { makeMailer } from './mail.ts'
import { makeTelegramApi } from './telegram/api.ts'

export type ChannelOptions = {
  /** The door to addresses that users wrote. */
  door: PostDoor
  /** The door to addresses of the operator. It allows private networks. */
  operatorDoor: PostDoor
  smtp?: { smtpUrl: string; from: string } | undefined
  telegram?: { token: string; apiUrl: string } | undefined
  rates: DestinationDeps['rates']
  unsubscribeUrl: DestinationDeps['unsubscribeUrl']
  alertsUrl: DestinationDeps['alertsUrl']
}
export type Channels = Omit<DestinationDeps, 'clock'>

/** Makes the channels that the operator has configured. */
export function makeChannels(options: ChannelOptions): Channels & { close(): void } {
  const { door, operatorDoor, smtp, telegram, rates, unsubscribeUrl, alertsUrl } = options
  const mail = smtp && makeMailer(smtp)
  return {
    door,
    rates,
    unsubscribeUrl,
    alertsUrl,
    ...(mail && { mail }),
    ...(telegram && { telegram: makeTelegramApi(operatorDoor, telegram) }),
    close: () => mail?.close(),
  }
}
