import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import cities from '../../../../assets/readme/cities.png';
import './style.css';

const picture = () =>
  h('img', {
    class: 'hero-picture',
    src: cities,
    alt: 'The demo: 135,233 cities as towers, and the same world from above, with the quadtree beneath',
  });

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': picture }),
};
