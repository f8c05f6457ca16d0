import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Primary colour. Shade 7 on white and shade 3 on dark have a contrast of at least 4.5 : 1. */
const verdigris: MantineColorsTuple = [
  '#ecf8f6',
  '#d5efeb',
  '#a9ddd6',
  '#7bcabf',
  '#53b5a9',
  '#2f9a8e',
  '#1d7f75',
  '#11675f',
  '#0d544e',
  '#083f3a',
]

/** Greys with a little of the primary green. */
const gray: MantineColorsTuple = [
  '#f7f9f9',
  '#eff2f2',
  '#e3e8e8',
  '#d3dada',
  '#b9c3c3',
  '#93a0a1',
  '#6b7879',
  '#4c5859',
  '#333d3e',
  '#1d2425',
]
const dark: MantineColorsTuple = [
  '#dbe2e2',
  '#b4bfc0',
  '#97a4a5',
  '#647273',
  '#3d494a',
  '#2d3738',
  '#232b2c',
  '#181e1f',
  '#12181a',
  '#0c1011',
]

const sans = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

export const theme = createTheme({
  colors: { verdigris, gray, dark },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 6 },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.25' }, h2: { fontSize: '1.125rem', lineHeight: '1.35' } },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        styles: { title: { fontWeight: 600 } },
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
      },
    },
    // The header of a dialog is not the banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // ARIA does not allow the placeholder as a child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 200, events: { hover: true, focus: true, touch: true } } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
})

/** Replaces Mantine's colours whose contrast is below 4.5 : 1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': verdigris[7],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-body': '#ffffff',
    '--surface-sunken': gray[0],
    '--surface-raised': '#ffffff',
    '--line': gray[2],
  },
  dark: {
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': verdigris[3],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-body': dark[7],
    '--surface-sunken': dark[8],
    '--surface-raised': dark[6],
    '--line': dark[5],
  },
})
