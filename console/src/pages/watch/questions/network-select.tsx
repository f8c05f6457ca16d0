import { Group, Select, Text } from '@mantine/core'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import type { Source } from '../model/source.ts'

type NetworkSelectProps = { sources: Source[]; value: Source; onChange: (source: Source) => void }

export function NetworkSelect({ sources, value, onChange }: NetworkSelectProps) {
  const find = (fullname: string | null) => sources.find((source) => source.fullname === fullname)
  return (
    <Select
      label="Network"
      data={sources.map(({ fullname, title }) => ({ value: fullname, label: title }))}
      value={value.fullname}
      onChange={(fullname) => {
        const source = find(fullname)
        if (source) onChange(source)
      }}
      allowDeselect={false}
      searchable={sources.length > 8}
      leftSection={<NetworkGlyph source={value} size={26} />}
      leftSectionWidth={44}
      size="md"
      renderOption={({ option }) => {
        const source = find(option.value)
        return (
          <Group gap="sm" wrap="nowrap">
            {source && <NetworkGlyph source={source} size={26} />}
            <div>
              <Text>{option.label}</Text>
              <Text size="xs" c="dimmed">
                {option.value}
              </Text>
            </div>
          </Group>
        )
      }}
    />
  )
}
