"""Training of the tongue network: mouths to `models/tongue.onnx`."""
