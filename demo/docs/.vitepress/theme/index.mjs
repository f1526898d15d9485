import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import dark from '../../../../assets/readme/town-dark.webp';
import darkStill from '../../../../assets/readme/town-dark-still.webp';
import light from '../../../../assets/readme/town-light.webp';
import lightStill from '../../../../assets/readme/town-light-still.webp';
import { LiveExample } from './LiveExample.mjs';
import './style.css';

const ALT =
  'A camera flies through the town of the demo. The map beside it shows which meshes it sees, and the boxes of the octree.';

/** A flight in the colours of one theme. It loads lazily, so that the hidden one does not load at all. */
const flight = (theme, moving, still) =>
  h('picture', { class: `in-${theme}` }, [
    h('source', { media: '(prefers-reduced-motion: reduce)', srcset: still }),
    h('img', { class: 'hero-picture', loading: 'lazy', src: moving, alt: ALT }),
  ]);

const picture = () => [flight('dark', dark, darkStill), flight('light', light, lightStill)];

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': picture }),
  enhanceApp: ({ app }) => app.component('LiveExample', LiveExample),
};
