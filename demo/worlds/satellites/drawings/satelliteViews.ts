import { Drawings } from '../../../views/drawings/Drawings.js';
import type { Cities } from '../../cities/Cities.js';
import type { CloseApproaches } from '../orbits/CloseApproaches.js';
import type { Ephemeris } from '../orbits/Ephemeris.js';
import type { Fleet } from '../orbits/Fleet.js';
import type { Sky } from '../orbits/Sky.js';
import { ApproachLines } from './ApproachLines.js';
import { CityLights } from './CityLights.js';
import { Globe } from './Globe.js';
import { OrbitLine } from './OrbitLine.js';
import { SatelliteDots } from './SatelliteDots.js';
import { Stars } from './Stars.js';

interface Parts {
  ephemeris: Ephemeris;
  fleet: Fleet;
  sky: Sky;
  approaches: CloseApproaches;
  cities: Cities;
}

/**
 * The drawings of both views: the Earth, the satellites, lines between close pairs, and the orbit of the picked one.
 */
export function satelliteViews({ ephemeris, fleet, sky, approaches, cities }: Parts) {
  const swarm = { crowd: fleet.root, places: fleet.places, marks: approaches.marks, sky };
  const lights = CityLights.geometry(cities);
  const view = (kind: 'space' | 'map', dots: SatelliteDots) => [
    new Globe(kind, sky, new CityLights(kind, lights, sky.sun)),
    dots,
    new ApproachLines(approaches.found, ephemeris.places),
    new OrbitLine(ephemeris),
  ];
  const dots = new SatelliteDots('space', swarm);
  const player = new Drawings([new Stars(), ...view('space', dots)]);
  const above = new Drawings(view('map', new SatelliteDots('map', swarm)));
  return {
    above,
    /** For the player, in true colours or in those of the classes. */
    player(classColours: boolean) {
      dots.byClass = classColours;
      return player;
    },
    dispose() {
      player.dispose();
      above.dispose();
    },
  };
}
