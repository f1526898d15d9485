import { Canvas } from '@react-three/fiber';
import { useRef } from 'react';
import { BoxGeometry, type Mesh, MeshNormalMaterial } from 'three';
import { Accelerated, useNearest, useVisible } from 'three-scene-index/react';

const box = new BoxGeometry();
const material = new MeshNormalMaterial();
const places = Array.from({ length: 1000 }, (_, i) => 3 * i);

/** Anything in the canvas may ask the index. */
function Player() {
  const mesh = useRef<Mesh>(null);
  const neighbours = useNearest(mesh, 3);
  const visible = useVisible();
  return (
    <mesh
      ref={mesh}
      position={[0, 2, 0]}
      geometry={box}
      material={material}
      onClick={() => console.log(neighbours, `${visible.length} seen`)}
    />
  );
}

export function Boxes() {
  return (
    <Canvas camera={{ position: [0, 1, 9] }}>
      <Accelerated batch>
        <Player />
        {places.map((x) => (
          <mesh key={x} position={[x, 0, -x]} geometry={box} material={material} onPointerOver={() => console.log(x)} />
        ))}
      </Accelerated>
    </Canvas>
  );
}
