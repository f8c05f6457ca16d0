import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../../parts/icons.tsx'

/** `key` keeps a row itself while others come and go. */
export type LinkRow = { key: string; title: string; url: string }
type LinksFieldProps = {
  links: LinkRow[]
  onChange: (links: LinkRow[]) => void
  errorOf: (path: string) => string | undefined
}

export function linkRows(links: { title: string; url: string }[] | undefined): LinkRow[] {
  return (links ?? []).map((link) => ({ ...link, key: crypto.randomUUID() }))
}

/** Links to the website, the docs and so on. */
export function LinksField({ links, onChange, errorOf }: LinksFieldProps) {
  const change = (key: string, part: Partial<LinkRow>) =>
    onChange(links.map((link) => (link.key === key ? { ...link, ...part } : link)))
  return (
    <Input.Wrapper label="Links" labelElement="div" description="Website, documentation, community.">
      <Stack gap="xs" mt={6}>
        {links.map(({ key, title, url }, at) => (
          <Group key={key} gap="xs" align="flex-start">
            <TextInput
              flex="1 1 130px"
              aria-label={`Title of link ${at + 1}`}
              placeholder="Documentation"
              value={title}
              error={errorOf(`meta.links.${at}.title`)}
              onChange={(event) => change(key, { title: event.currentTarget.value })}
            />
            <TextInput
              flex="2 1 200px"
              aria-label={`Address of link ${at + 1}`}
              placeholder="https://"
              value={url}
              error={errorOf(`meta.links.${at}.url`)}
              onChange={(event) => change(key, { url: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove link ${at + 1}`}
              onClick={() => onChange(links.filter((link) => link.key !== key))}
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
            onClick={() => onChange([...links, { key: crypto.randomUUID(), title: '', url: '' }])}
          >
            Add a link
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
