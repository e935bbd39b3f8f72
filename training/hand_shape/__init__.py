"""Training of the hand-shape network: photographed and rendered hands to `models/hand_shape.onnx`."""
