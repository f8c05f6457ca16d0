import { Group, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { Outside } from '../../components/page.tsx'
import classes from './destination.module.css'
import { QrCode } from './qr-code.tsx'

/** What to do in Telegram. With the bot's name that is one press, or the camera of a phone; else a command to send. */
export function SetupGuide({ token, bot }: { token: string; bot?: string | undefined }) {
  return bot === undefined ? (
    <ByCommand token={token} />
  ) : (
    <ByLink link={`https://t.me/${bot}?start=${token}`} bot={bot} />
  )
}

function ByLink({ link, bot }: { link: string; bot: string }) {
  return (
    <div className={classes.setup}>
      <QrCode text={link} label={`QR code that opens ${bot} in Telegram`} />
      <div className={classes.guide}>
        <ol className={classes.list}>
          <li>
            <Outside href={link}>Open @{bot} in Telegram</Outside>, or point the camera of your phone at the code.
          </li>
          <li>Press Start, then pick the chat, group or channel.</li>
          <li>Come back: this page notices by itself.</li>
        </ol>
        <CopyButton value={link} what="link" isWide />
        <Text size="sm" c="dimmed" mt="xs">
          The link works once, for the first person who opens it. Do not share it.
        </Text>
      </div>
    </div>
  )
}

function ByCommand({ token }: { token: string }) {
  const command = `/start ${token}`
  return (
    <div>
      <ol className={classes.list}>
        <li>Open this service’s bot in Telegram; its operator knows its name.</li>
        <li>
          Send it this command, then pick the chat, group or channel:
          <Group gap={4} wrap="nowrap" my={6}>
            <code className={classes.token}>{command}</code>
            <CopyButton value={command} what="command" />
          </Group>
        </li>
        <li>Come back: this page notices by itself.</li>
      </ol>
      <Text size="sm" c="dimmed">
        The command works once, for the first person who sends it. Do not share it.
      </Text>
    </div>
  )
}
