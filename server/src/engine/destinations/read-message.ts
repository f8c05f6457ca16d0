import type { Message } from '@tocsin/contract'
import type { Delivery } from './destination.ts'

export function messageOf({ messageJson }: Delivery): Message {
  return JSON.parse(messageJson)
}
