import { Group, Text } from '@mantine/core'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExternalLink } from '../../components/page.tsx'
import classes from './destination.module.css'
import { QrCode } from './qr-code.tsx'

/** The steps in Telegram: open a link or scan its QR code. If the bot's name is unknown, send a command instead. */
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
            <ExternalLink href={link}>Open @{bot} in Telegram</ExternalLink>, or scan the QR code with your phone.
          </li>
          <li>Press Start, then choose the chat, group or channel.</li>
          <li>Come back to this page. It updates automatically.</li>
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
        <li>Open the bot of this service in Telegram. Ask the operator for its name.</li>
        <li>
          Send this command to the bot, then choose the chat, group or channel:
          <Group gap={4} wrap="nowrap" my={6}>
            <code className={classes.token}>{command}</code>
            <CopyButton value={command} what="command" />
          </Group>
        </li>
        <li>Come back to this page. It updates automatically.</li>
      </ol>
      <Text size="sm" c="dimmed">
        The command works once, for the first person who sends it. Do not share it.
      </Text>
    </div>
  )
}
