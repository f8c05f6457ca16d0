import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../components/icons.tsx'

export type LinkRow = { title: string; url: string }
type LinksFieldProps = {
  description: string
  links: LinkRow[]
  onChange: (links: LinkRow[]) => void
  /** The error of a field by index and name, such as `0.url`. */
  errorOf: (path: string) => string | undefined
}

export function LinksField({ description, links, onChange, errorOf }: LinksFieldProps) {
  const change = (at: number, part: Partial<LinkRow>) =>
    onChange(links.map((link, place) => (place === at ? { ...link, ...part } : link)))
  return (
    <Input.Wrapper label="Links" labelElement="div" description={description}>
      <Stack gap="xs" mt={6}>
        {links.map(({ title, url }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no id, and their fields hold no state
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              flex="1 1 130px"
              aria-label={`Title of link ${at + 1}`}
              placeholder="Documentation"
              value={title}
              error={errorOf(`${at}.title`)}
              onChange={(event) => change(at, { title: event.currentTarget.value })}
            />
            <TextInput
              flex="2 1 200px"
              aria-label={`URL of link ${at + 1}`}
              placeholder="https://"
              value={url}
              error={errorOf(`${at}.url`)}
              onChange={(event) => change(at, { url: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove link ${at + 1}`}
              onClick={() => onChange(links.toSpliced(at, 1))}
            >
              <IconTrash />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => onChange([...links, { title: '', url: '' }])}
          >
            Add link
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
